/** The protocol of a listener: SMTP (RFC 5321), or LMTP (RFC 2033), which has a reply for each recipient of a mail. */
export type MailProtocol = 'smtp' | 'lmtp'
