// A platform with mail and a user pool. Its function never returns when the pool asks it for a message, so
// that the platform can be killed at that moment.
import { createPlatform } from '@signalbox/platform'
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
