export {
  type EventFailure,
  type EventStore,
  eventStorage,
  type NewEvent,
  type TakenEvent,
} from './event-store.ts'
