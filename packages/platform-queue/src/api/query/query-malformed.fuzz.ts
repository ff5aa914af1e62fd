import { caseCosts } from '@signalbox/platform-runtime/testing/case-costs'
import fc from 'fast-check'
import { listeningQueues } from '../../testing/queue-engines.ts'
import { inputs } from '../operations/inputs.ts'

const parts = [
  ...[
    'QueueUrl',
    'QueueName',
    'Attribute',
    'AttributeName',
    'MessageBody',
    'MessageAttribute',
    'TagKey',
    'Tag',
  ],
  ...['MessageSystemAttribute', 'ReceiptHandle', 'VisibilityTimeout', 'DelaySeconds', 'MaxNumberOfMessages'],
  ...['SendMessageBatchRequestEntry', 'DeleteMessageBatchRequestEntry', 'Entries', 'Attributes', 'SourceArn'],
  ...['Name', 'Value', 'Key', 'Id', 'DataType', 'StringValue', 'BinaryValue', 'StringListValue', 'Action'],
  ...['1', '2', '10', '0', '01', '-1', '1e9', '999999999', '9999999999999999999', '', ' ', '__proto__'],
  ...['constructor', 'toString', 'length', '%00', '%', '+', 'ä', '\ud800'],
]

const values = (url: string) =>
  fc.oneof(
    fc.constantFrom(
      ...[
        `${url}/0/there`,
        `${url}/0/there.fifo`,
        'there',
        'fresh',
        'All',
        'DelaySeconds',
        'FifoQueue',
        'true',
      ],
      ...[
        '0',
        '1',
        '-1',
        '1e3',
        '99999999999999999999',
        'NaN',
        'String',
        'Number',
        'Binary',
        'AAAA',
        '',
        '%',
      ],
      ...['AWSTraceHeader', 'RedrivePolicy', '[]', '\u0000', '\ufffe', '<&>"\r', ']]>', 'arn:aws:sqs:a:b:c'],
    ),
    fc.string({ unit: 'binary' }),
  )

const escaped = (text: string) => encodeURIComponent(Buffer.from(text).toString())

/** Generates forms with parameter names of the protocol, some of them escaped, and bodies that are not forms. */
const body = (url: string) => {
  const name = fc.array(fc.constantFrom(...parts), { minLength: 1, maxLength: 10 }).map(all => all.join('.'))
  const pair = fc.oneof(
    fc.tuple(name, values(url)).map(([key, value]) => `${escaped(key)}=${escaped(value)}`),
    fc.tuple(name, values(url)).map(([key, value]) => `${key}=${value}`),
    name,
  )
  return fc.oneof(
    { weight: 4, arbitrary: fc.array(pair, { maxLength: 30 }).map(all => all.join('&')) },
    fc.string({ unit: 'binary', maxLength: 200 }),
  )
}

/** Bodies for which a careless parser needs much time or memory. */
const hostile: readonly (() => string)[] = [
  () => 'a&'.repeat(2_000_000),
  () => 'Attribute.1.Name=a&'.repeat(200_000),
  () => Array.from({ length: 300_000 }, (_, at) => `Attribute.${at}.Name=a`).join('&'),
  () => Array.from({ length: 4000 }, (_, at) => `Attribute.${999_999_999 - at}.Name=a`).join('&'),
  () => `Attribute.999999999.Name=a&Attribute.999999999.Value=b`,
  () => `${'Attribute.1.'.repeat(300_000)}=x`,
  () => '.'.repeat(4_000_000),
  () => Array.from({ length: 4000 }, (_, at) => `${'a'.repeat(900)}${at}=x`).join('&'),
  () => Array.from({ length: 4000 }, (_, at) => `${Array(8).fill(`k${at}`).join('.')}=x`).join('&'),
  () => `MessageBody=${'%41'.repeat(1_300_000)}`,
  () => `MessageBody=${'+'.repeat(4_000_000)}`,
  () => `MessageBody=${'%'.repeat(4_000_000)}`,
  () => `AttributeName.1=${'&amp;'.repeat(100_000)}`,
  () => `AttributeName.1=${'%0D%3C%26'.repeat(400_000)}`,
]

const readers: { readonly [name: string]: string } = {
  Attribute: 'SetQueueAttributes',
  AttributeName: 'GetQueueAttributes',
  MessageBody: 'SendMessage',
}

/**
 * Sends random forms as query requests to random operations. The response to each must be XML, either a result or a
 * protocol error. Then it sends large and deeply nested bodies.
 * @throws Error for a response that reports an internal failure, for memory that is not freed, and for a form that
 * takes too long
 */
export async function fuzz(runs: number, seed?: number): Promise<string> {
  const setup = await listeningQueues()
  await setup.store.createQueue('there')
  await setup.store.createQueue('there.fifo')
  let refused = 0
  const post = async (path: string, text: string) => {
    const response = await fetch(setup.url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: text,
    })
    const answer = await response.text()
    const isError = /<ErrorResponse .*<Type>Sender<\/Type><Code>[\w.]+<\/Code>/s.test(answer)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: XML has none of these
    const isXml = answer.startsWith('<?xml ') && !/[\u0000-\u0008\u000b-\u001f\ufffe\uffff]/.test(answer)
    if (response.status >= 500 || isError === response.ok || !isXml)
      throw new Error(`${path} ${text.slice(0, 2000)}: ${response.status} ${answer.slice(0, 2000)}`)
    if (!response.ok) refused++
  }
  const operation = fc.constantFrom(...Object.keys(inputs), 'Nonsense', 'constructor', '')
  const path = fc.constantFrom('/', '/0/there', '/0/there.fifo', '/none', '//', '/a/b/c?QueueName=fresh')
  try {
    const costs = caseCosts()
    await costs.inHalves(async half => {
      await fc.assert(
        fc.asyncProperty(path, operation, body(setup.url), (where, name, text) =>
          costs.hold(
            () => `${where} ${name} ${text}`,
            () => post(where, `Action=${name}&${text}`),
          ),
        ),
        { numRuns: Math.ceil(runs / 2), ...(seed !== undefined && { seed: seed + half }) },
      )
      for (const make of hostile) {
        const text = make()
        const name = /^(Attribute|AttributeName|MessageBody)\b/.exec(text)?.[0] ?? 'Attribute'
        await post('/0/there', `Action=${readers[name]}&${text}`)
      }
    })
    return `${refused} of ${runs + 2 * hostile.length} requests refused, each with the protocol's error; ${costs.figures()}`
  } finally {
    await setup.end()
  }
}
