import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { CognitoIdentityProviderClient } from '@aws-sdk/client-cognito-identity-provider'
import { LambdaClient } from '@aws-sdk/client-lambda'
import { ReceiveMessageCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs'
import { createPlatform } from '@signalbox/platform'
import { freePorts } from '@signalbox/platform-runtime/testing/free-port'
import { temporaryFolder } from '@signalbox/platform-runtime/testing/temporary-folder'
import { readTemplate } from '@signalbox/template'

/**
 * Runs a template in this process, and returns stock clients of it.
 * @param folder the folder of its code. Default: a new one
 */
export async function runTemplate(
  text: string,
  {
    parameters = {},
    folder,
  }: { readonly parameters?: { readonly [name: string]: string }; readonly folder?: string } = {},
) {
  const own = temporaryFolder()
  const [queues, userPools, invoke] = await freePorts(3)
  const root = folder ?? own.path
  const found = readTemplate(text, {
    root,
    template: root,
    parameters,
    region: 'eu-central-1',
    account: '000000000000',
    stack: 'test',
    python: () => ['python3'],
    keep(name, file, code) {
      const path = join(own.path, name, file)
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, code)
      return join(own.path, name)
    },
    beside: {
      queueListener: { port: queues },
      userPoolListener: { port: userPools },
      invoke: { port: invoke },
      control: { port: 0 },
      dataDir: ':memory:',
    },
  })
  const platform = createPlatform(found.config as never, { root })
  await platform.start()
  const client = (port: number | undefined) => ({
    endpoint: `http://127.0.0.1:${port}`,
    region: 'eu-central-1',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  })
  const sqs = new SQSClient(client(queues))
  const cognito = new CognitoIdentityProviderClient(client(userPools))
  const lambda = new LambdaClient(client(invoke))
  return {
    ...found,
    sqs,
    cognito,
    lambda,
    send: (QueueUrl: string, MessageBody: string, more: object = {}) =>
      sqs.send(new SendMessageCommand({ QueueUrl, MessageBody, ...more })),
    /** Returns the body of the next message of a queue, or undefined when none comes. */
    async receive(QueueUrl: string): Promise<string | undefined> {
      const { Messages } = await sqs.send(new ReceiveMessageCommand({ QueueUrl, WaitTimeSeconds: 20 }))
      return Messages?.[0]?.Body
    },
    async [Symbol.asyncDispose]() {
      for (const each of [sqs, cognito, lambda]) each.destroy()
      await platform.stop()
      own[Symbol.dispose]()
    },
  }
}
