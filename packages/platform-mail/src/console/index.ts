export { mailPages } from './mail-pages.ts'
export type { AcceptedMail, MailboxMail, MailContent, OfferedMail } from './mail-port.ts'
export { mailRoutes } from './mail-routes.ts'
