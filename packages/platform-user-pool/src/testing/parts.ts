// The parts of user pools that tests and benchmarks of other packages put together themselves.
export { operations } from '../api/operations/operations.ts'
export { totpAt } from '../flows/factors/totp.ts'
export { power } from '../srp/group.ts'
export { type PasswordChallenge, srpClient } from '../srp/srp-client.ts'
