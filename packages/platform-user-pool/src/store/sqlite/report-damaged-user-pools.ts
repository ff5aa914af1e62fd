import { damageReporter } from '@signalbox/platform-runtime/storage'

/** Works with a database of user pools. Throws DamagedFileError for a damaged file. */
export const reportDamagedUserPools = damageReporter(
  'The user pools',
  'Put a copy of the file back, or move it away: then all user pools begin empty.',
)
