export { executionPages } from './execution-console.ts'
export type { Attempt, ExecutionStory, ListedExecution, Step } from './execution-routes.ts'
export { executionRoutes } from './execution-routes.ts'
