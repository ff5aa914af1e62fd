import { adminUserOperations } from './accounts/admin-users.ts'
import { forgottenPasswordOperations } from './accounts/forgotten-password.ts'
import { groupOperations } from './accounts/groups.ts'
import { listUsersOperations } from './accounts/list-users.ts'
import { ownAccountOperations } from './accounts/own-account.ts'
import { signUpOperations } from './accounts/sign-up.ts'
import { userImportOperations } from './accounts/user-imports.ts'
import { extensionOperations } from './extensions.ts'
import { deviceOperations } from './factors/devices.ts'
import { factorOperations } from './factors/factors.ts'
import { passkeyOperations } from './factors/passkeys.ts'
import type { Operations } from './operation.ts'
import { clientSecretOperations } from './pools/client-secrets.ts'
import { createdClientOperations } from './pools/created-clients.ts'
import { createdPoolOperations } from './pools/created-pools.ts'
import { domainOperations } from './pools/domains.ts'
import { identityProviderOperations } from './pools/identity-providers.ts'
import { poolOperations } from './pools/pools.ts'
import { resourceServerOperations } from './pools/resource-servers.ts'
import { sessionSettingsOperations } from './pools/session-settings.ts'
import { termsOperations } from './pools/terms.ts'
import { uiCustomizationOperations } from './pools/ui-customizations.ts'
import { authEventOperations } from './sign-in/auth-events.ts'
import { sessionOperations } from './sign-in/sessions.ts'
import { signInOperations } from './sign-in/sign-in.ts'

/** All operations of the listener. */
export const operations: Operations = {
  ...signUpOperations,
  ...signInOperations,
  ...sessionOperations,
  ...authEventOperations,
  ...forgottenPasswordOperations,
  ...ownAccountOperations,
  ...adminUserOperations,
  ...listUsersOperations,
  ...factorOperations,
  ...deviceOperations,
  ...passkeyOperations,
  ...groupOperations,
  ...poolOperations,
  ...createdPoolOperations,
  ...createdClientOperations,
  ...clientSecretOperations,
  ...sessionSettingsOperations,
  ...resourceServerOperations,
  ...identityProviderOperations,
  ...domainOperations,
  ...termsOperations,
  ...uiCustomizationOperations,
  ...userImportOperations,
  ...extensionOperations,
}
