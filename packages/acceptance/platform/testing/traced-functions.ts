import { signalbox } from '@signalbox/core'
import { get, json, loadBalancer } from '@signalbox/load-balancer'
import { mailFlow } from '@signalbox/mail-flow'
import { queue } from '@signalbox/queue'
import { telemetry, traceparent } from '@signalbox/telemetry'
import { userPool } from '@signalbox/user-pool'
import { createTransport } from 'nodemailer'

/** The addresses of the platform's listeners, which a request brings. */
interface Addresses {
  readonly queues: string
  readonly pools: string
  readonly smtp: string
  readonly client: string
}

/** A function that sends a message, signs a user in, and sends a mail; and that handles what follows from it. */
export const handler = signalbox(
  loadBalancer([
    get('/', async ({ query }) => {
      const addresses = JSON.parse(query.first('to')!) as Addresses
      await call(addresses.queues, 'AmazonSQS.SendMessage', '1.0', {
        QueueUrl: `${addresses.queues}/000000000000/orders`,
        MessageBody: '{"card":"4111 1111 1111 1111"}',
      })
      await call(addresses.pools, 'AWSCognitoIdentityProviderService.InitiateAuth', '1.1', {
        AuthFlow: 'USER_PASSWORD_AUTH',
        ClientId: addresses.client,
        AuthParameters: { USERNAME: 'ann', PASSWORD: 'Right-7even' },
      })
      await createTransport(addresses.smtp).sendMail({
        from: 'shop@office.example',
        to: 'ann@office.example',
        subject: 'Your order',
        text: 'The password is hunter2.',
        headers: { traceparent: traceparent()! },
      })
      return json({ sent: true })
    }),
  ]),
  queue({
    onMessage({ attempt }) {
      if (attempt < 3) throw new Error('secret=hunter2')
    },
  }),
  userPool({
    PreSignUp_SignUp: () => ({ autoConfirmUser: true }),
    PostAuthentication_Authentication: () => {},
  }),
  mailFlow((_, actions) => actions.default()),
).use(telemetry({ export: 'otlp' }))

async function call(url: string, target: string, version: string, input: object): Promise<void> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': `application/x-amz-json-${version}`,
      'x-amz-target': target,
      traceparent: traceparent()!,
    },
    body: JSON.stringify(input),
  })
  if (!answer.ok) throw new Error(`${target} answered ${answer.status}: ${await answer.text()}`)
}
