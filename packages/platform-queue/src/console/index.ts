export { queuePages } from './queue-pages.ts'
export type { QueueMessage, QueueState } from './queue-port.ts'
export { queueRoutes } from './queue-routes.ts'
