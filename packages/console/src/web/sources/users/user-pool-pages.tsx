import type { SourcePages } from '../source-pages.ts'
import { PoolMessagesPage } from './pool-messages-page.tsx'
import { PoolPage } from './pool-page.tsx'
import { PoolsPage } from './pools-page.tsx'
import { SignInPage } from './sign-in-page.tsx'
import { UserPage } from './user-page.tsx'

/** The pages of user pools. */
export const userPoolPages: SourcePages = {
  pages: {
    users: {
      '/': () => <PoolsPage />,
      '/*': pool => <PoolPage key={pool} pool={pool} />,
      '/*/user/*': (pool, name) => <UserPage key={name} pool={pool} name={name} />,
      '/*/messages': pool => <PoolMessagesPage pool={pool} />,
      '/*/sign-in': pool => <SignInPage pool={pool} />,
    },
  },
}
