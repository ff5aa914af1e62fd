// The parts of mail that tests of other packages put together themselves.
export { mailPart } from '../config/mail-part.ts'
export { maildirs } from '../mailboxes/maildirs.ts'
export { mailStates } from '../store/sqlite/states.ts'
