/**
 * Loads every entity. Code that walks all rows of an account or a person, or compares schema versions, must import this
 * file: an entity that was never loaded is unknown to the registry in `store/entity.ts`.
 */
import './accessToken.ts';
import './account.ts';
import './auditEvent.ts';
import './auditHead.ts';
import './automationJob.ts';
import './channelIdentity.ts';
import './channelInstallation.ts';
import './channelReference.ts';
import './clinical_safety/entities.ts';
import './connectorGrant.ts';
import './connectorScope.ts';
import './conversation.ts';
import './delivery.ts';
import './file.ts';
import './integrationSetting.ts';
import './interrupt.ts';
import './invitation.ts';
import './ledgerEntry.ts';
import './marketer/entities.ts';
import './mdr/entities.ts';
import './member.ts';
import './message.ts';
import './oauthState.ts';
import './ops/entities.ts';
import './outreach/entities.ts';
import './professionaliser/entities.ts';
import './paymentEvent.ts';
import './rateCount.ts';
import './project.ts';
import './researcher/entities.ts';
import './run.ts';
import './sharedLink.ts';
import './subscription.ts';
import './tenantClaim.ts';
import './ticketReading.ts';
import './toolServer.ts';
import './toolServerUse.ts';
import './trackedTicket.ts';
import './turn.ts';
import './unconnectedCall.ts';
import './user.ts';
import './userAgent.ts';
import './verification.ts';
import './workspace.ts';
