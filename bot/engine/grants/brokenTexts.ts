const AGAIN = 'Connect it again to continue.';

/** Why a grant is over, for people: its company took the access back. */
export const withdrawnText = (company: string): string => `${company} has withdrawn the access. ${AGAIN}`;

/** Why a grant is over, for people: its company gives no new token for the old one. */
export const notRenewedText = (company: string): string => `${company} no longer renews the access. ${AGAIN}`;
