/**
 * A mail that came back, as Postfix writes it.
 * @param groups one of the report for each recipient
 * @param returned the mail that was sent, at the end
 */
export const bounced = (groups: readonly string[], returned = 'Subject: Clara waits for an answer') => `Return-Path: <>
From: MAILER-DAEMON@mail.example.org (Mail Delivery System)
Subject: Undelivered Mail Returned to Sender
To: arc@example.org
Auto-Submitted: auto-replied
MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status;
\tboundary="B4wZ1"

This is a MIME-encapsulated message.

--B4wZ1
Content-Description: Notification
Content-Type: text/plain; charset=us-ascii

I'm sorry to have to inform you that your message could not be delivered.

--B4wZ1
Content-Description: Delivery report
Content-Type: message/delivery-status

Reporting-MTA: dns; mail.example.org
X-Postfix-Queue-ID: 4F2B81A0C3
Arrival-Date: Mon,  2 Mar 2026 09:15:02 +0000 (GMT)

${groups.join('\n\n')}

--B4wZ1
Content-Description: Undelivered Message
Content-Type: message/rfc822

${returned}
--B4wZ1--
`;
