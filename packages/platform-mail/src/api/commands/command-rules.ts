/**
 * States which clients may use each command of a submission listener. `identity` means that the client must
 * authenticate first (RFC 4954, 6).
 */
export const commandRules = {
  EHLO: 'anyone',
  HELO: 'anyone',
  LHLO: 'anyone',
  STARTTLS: 'anyone',
  XCLIENT: 'anyone',
  XFORWARD: 'anyone',
  AUTH: 'anyone',
  NOOP: 'anyone',
  RSET: 'anyone',
  HELP: 'anyone',
  QUIT: 'anyone',
  MAIL: 'identity',
  RCPT: 'identity',
  DATA: 'identity',
  VRFY: 'identity',
} as const

/** The name of a command. */
export type CommandName = keyof typeof commandRules
