import { dialects } from '../../../platform/src/dialect/dialects.ts'
import { testProgram } from '../../../platform-runtime/src/testing/test-program.ts'
import type { UserPoolsConfig } from '../config/user-pool-config.ts'
import type { UserPoolsSettings } from '../config/user-pools-part.ts'
import { userPoolModule } from '../user-pool-module.ts'
import type { UserPools } from '../user-pools-access.ts'

export const { createPlatform, configProblems, settingsOf, signalbox, signalboxAnswered, signalboxStopped } =
  testProgram<UserPoolsConfig, UserPoolsSettings, { readonly userPools: UserPools }>(userPoolModule, dialects)
