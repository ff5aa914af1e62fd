import { damageReporter } from '@signalbox/platform-runtime/storage'

/** Runs work on a user-pool database. Throws DamagedFileError when the file is damaged. */
export const reportDamagedUserPools = damageReporter(
  'The user pools',
  'Put a copy of the file back, or move it away: then all user pools begin empty.',
)
