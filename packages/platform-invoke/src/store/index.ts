export { eventStorage } from './event-store.ts'
