/**
 * Which clients a listener that requires authentication takes a command from: `identity` names commands that need it
 * before (RFC 4954, 6).
 */
export const commandRules = {
  EHLO: 'anyone',
  HELO: 'anyone',
  STARTTLS: 'anyone',
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
