import type { SourcePages } from '../source-pages.ts'
import { PoolMessagesPage } from './pool-messages-page.tsx'
import { PoolPage } from './pool-page.tsx'
import { PoolsPage } from './pools-page.tsx'
import { SignInPage } from './sign-in-page.tsx'
import { UserPage } from './user-page.tsx'

/** The pages of user pools. */
export const userPoolPages: SourcePages = {
  page: {
    name: 'users',
    title: 'Users',
    part: 'userPools',
    sign: 'M8 8a2.8 2.8 0 1 0 0-5.6A2.8 2.8 0 0 0 8 8zM2.5 14c.5-2.8 2.7-4 5.5-4s5 1.2 5.5 4',
    routes: {
      '/': () => <PoolsPage />,
      '/*': pool => <PoolPage key={pool} pool={pool} />,
      '/*/user/*': (pool, name) => <UserPage key={name} pool={pool} name={name} />,
      '/*/messages': pool => <PoolMessagesPage pool={pool} />,
      '/*/sign-in': pool => <SignInPage pool={pool} />,
    },
  },
}
