export type { PoolAccount, PoolAccountDetails, PoolMessage, PoolSignIn, PoolState } from './user-pool-port.ts'
export { userPoolRoutes } from './user-pool-routes.ts'
