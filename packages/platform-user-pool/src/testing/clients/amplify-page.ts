import { Amplify } from 'aws-amplify'
import 'aws-amplify/auth/enable-oauth-listener'
import { fetchAuthSession, signInWithRedirect, signOut } from 'aws-amplify/auth'
import { Hub } from 'aws-amplify/utils'

// The script of a web page that signs users in on hosted pages. `pages/amplify.check.test.ts` runs it in a browser.

declare const configuration: Parameters<typeof Amplify.configure>[0]

const happened: string[] = []
Hub.listen('auth', ({ payload }) => happened.push(payload.event))
// When the browser comes back, this call makes Amplify exchange the code in the address.
Amplify.configure(configuration)

Object.assign(globalThis, {
  program: {
    happened,
    signIn: () => signInWithRedirect(),
    signOut: () => signOut(),
    async claims() {
      const { tokens } = await fetchAuthSession()
      return tokens?.idToken?.payload
    },
  },
})
