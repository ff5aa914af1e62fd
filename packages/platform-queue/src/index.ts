export type {
  DeadLetterConfig,
  QueueConfig,
  QueueEngineConfig,
  QueueListenerConfig,
  QueuesConfig,
} from './config/queue-config.ts'
export type { QueuesSettings } from './config/queues-part.ts'
export { queueModule } from './queue-module.ts'
