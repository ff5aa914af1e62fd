export { userPoolPages } from './user-pool-pages.ts'
export type {
  PoolAccount,
  PoolAccountDetails,
  PoolChallenge,
  PoolMessage,
  PoolSignIn,
  PoolState,
} from './user-pool-port.ts'
export { userPoolRoutes } from './user-pool-routes.ts'
