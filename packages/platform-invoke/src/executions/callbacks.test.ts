import {
  SendDurableExecutionCallbackFailureCommand,
  SendDurableExecutionCallbackHeartbeatCommand,
  SendDurableExecutionCallbackSuccessCommand,
} from '@aws-sdk/client-lambda'
import { expect, it } from '@jest/globals'
import { checkpoints, durablePlatform } from '../testing/durable-platform.ts'
import { done, pending, script } from '../testing/scripted-function.ts'

it('callbacks end with a result, with an error, by their time-out or by a missing heartbeat', async () => {
  const ids: { [name: string]: string } = {}
  const { events, order } = script(
    async (event, client) => {
      const { NewExecutionState } = await checkpoints(
        event,
        client,
      )(
        ...['right', 'wrong', 'late', 'beating'].map(Id => ({
          ...({ Id, Type: 'CALLBACK', Action: 'START', Name: Id } as const),
          CallbackOptions: Id === 'beating' ? { HeartbeatTimeoutSeconds: 10 } : { TimeoutSeconds: 30 },
        })),
      )
      for (const { Id, CallbackDetails } of NewExecutionState!.Operations!)
        ids[Id!] = CallbackDetails!.CallbackId!
      return pending
    },
    ...Array.from({ length: 3 }, () => () => pending),
    () => done(),
  )
  await using under = await durablePlatform(order)
  const arn = await under.start({})
  const CallbackId = (name: string) => ({ CallbackId: ids[name]! })
  await under.until(async () => (await under.shown(arn)).types.length === 6)
  await under.clock.advance(9000)
  await under.lambda.send(new SendDurableExecutionCallbackHeartbeatCommand(CallbackId('beating')))
  await expect(
    under.lambda.send(new SendDurableExecutionCallbackHeartbeatCommand(CallbackId('late'))),
  ).rejects.toThrow('has no heartbeat')
  await under.clock.advance(9000)
  await under.lambda.send(
    new SendDurableExecutionCallbackSuccessCommand({ ...CallbackId('right'), Result: Buffer.from('"paid"') }),
  )
  await under.until(() => events.length === 2)
  await under.lambda.send(
    new SendDurableExecutionCallbackFailureCommand({
      ...CallbackId('wrong'),
      Error: { ErrorType: 'Refused' },
    }),
  )
  await expect(
    under.lambda.send(new SendDurableExecutionCallbackSuccessCommand(CallbackId('wrong'))),
  ).rejects.toMatchObject({ name: 'CallbackTimeoutException' })
  await under.until(() => events.length === 3)
  await under.clock.advance(1000)
  await under.until(() => events.length === 4)
  await under.clock.advance(11_000)
  await under.until(async () => (await under.shown(arn)).Status === 'SUCCEEDED')
  const { Events } = await under.shown(arn)
  expect(Events.filter(({ Name }) => Name !== undefined && Name in ids).slice(4)).toMatchObject([
    {
      EventType: 'CallbackSucceeded',
      Name: 'right',
      CallbackSucceededDetails: { Result: { Payload: '"paid"' } },
    },
    {
      EventType: 'CallbackFailed',
      Name: 'wrong',
      CallbackFailedDetails: { Error: { Payload: { ErrorType: 'Refused' } } },
    },
    {
      ...{ EventType: 'CallbackTimedOut', Name: 'beating' },
      CallbackTimedOutDetails: { Error: { Payload: { ErrorType: 'Callback.Heartbeat' } } },
    },
    {
      ...{ EventType: 'CallbackTimedOut', Name: 'late' },
      CallbackTimedOutDetails: { Error: { Payload: { ErrorType: 'Callback.Timeout' } } },
    },
  ])
  for (const forged of ['nonsense', Buffer.from('["a","b","c"]').toString('base64'), `${ids.late}x`])
    await expect(
      under.lambda.send(new SendDurableExecutionCallbackSuccessCommand({ CallbackId: forged })),
    ).rejects.toMatchObject({ name: 'ResourceNotFoundException' })
})
