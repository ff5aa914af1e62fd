export { userPoolModule } from './user-pool-module.ts'
