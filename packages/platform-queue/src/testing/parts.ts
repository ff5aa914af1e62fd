// The parts of queues that tests and benchmarks of other packages put together themselves.
export { callOperation } from '../api/call-operation.ts'
export { queueUrl } from '../api/queue-url.ts'
export { queuesPart } from '../config/queues-part.ts'
export { poller } from '../poller/poller.ts'
export { localStore } from '../store/sqlite/local-store.ts'
