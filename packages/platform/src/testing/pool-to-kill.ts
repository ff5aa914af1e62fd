// A box with mail and a user pool, whose function never ends: waits to be killed when it is asked what a mail says.
import { createPlatform } from '../platform.ts'
import { mailingPool } from './mailing-pool.ts'

const platform = createPlatform(
  mailingPool(process.argv[2]!, () => {
    process.send!('asked')
    return new Promise(() => {})
  }),
)
await platform.start()
const { url, clientId } = platform.userPools.get('staff')
void fetch(url, {
  method: 'POST',
  headers: { 'x-amz-target': 'AWSCognitoIdentityProviderService.SignUp' },
  body: JSON.stringify({
    ClientId: clientId('web'),
    Username: 'ann',
    Password: 'Right-7even',
    UserAttributes: [{ Name: 'email', Value: 'ann@office.example' }],
  }),
})
