import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { contents, type Parameters, queryRequests } from '../../testing/query-requests.ts'
import { type listeningQueues, queryClient } from '../../testing/queue-engines.ts'

let setup: Awaited<ReturnType<typeof listeningQueues>>
let queue: string
let path: string
const requests = queryRequests()
const { post, get } = requests
beforeAll(requests.start)
afterAll(requests.end)
beforeEach(async () => {
  ;({ setup, queue, path } = await requests.next())
})

describe('a request of the query protocol', () => {
  it('names its queue in the parameter QueueUrl or in its path', async () => {
    await post(path, { Action: 'SendMessage', MessageBody: 'by the path' })
    await post('/', { Action: 'SendMessage', MessageBody: 'by QueueUrl', QueueUrl: setup.url + path })
    await post('/0/none', { Action: 'SendMessage', MessageBody: 'by both', QueueUrl: path })
    const { text } = await post(path, { Action: 'ReceiveMessage', MaxNumberOfMessages: '10' })
    expect(contents(text, 'Body')).toEqual(['by the path', 'by QueueUrl', 'by both'])
  })

  it('gets the XML that SQS would send', async () => {
    const { status, type, text } = await post('/', { Action: 'GetQueueUrl', QueueName: queue })
    expect({ status, type }).toEqual({ status: 200, type: 'text/xml' })
    expect(text.replace(/[0-9a-f-]{36}/, 'ID')).toBe(
      '<?xml version="1.0"?><GetQueueUrlResponse xmlns="http://queue.amazonaws.com/doc/2012-11-05/">' +
        `<GetQueueUrlResult><QueueUrl>${setup.url}${path}</QueueUrl></GetQueueUrlResult>` +
        '<ResponseMetadata><RequestId>ID</RequestId></ResponseMetadata></GetQueueUrlResponse>',
    )
  })

  it('can be a GET with parameters in the URL', async () => {
    const { status } = await get(path, { Action: 'SendMessage', MessageBody: 'a b+ä' })
    expect(status).toBe(200)
    const { text } = await get(path, { Action: 'ReceiveMessage' })
    expect(contents(text, 'Body')).toEqual(['a b+ä'])
  })

  it('can be a GET from Node’s fetch(), which sends the header Accept-Language as browsers do', async () => {
    const response = await fetch(`${setup.url}/?Action=ListQueues&QueueNamePrefix=${queue}`)
    expect(contents(await response.text(), 'QueueUrl')).toContain(setup.url + path)
  })

  it('can be a POST with parameters in the URL and no body', async () => {
    const response = await fetch(`${setup.url}/?Action=ListQueues&QueueNamePrefix=${queue}`, {
      method: 'POST',
    })
    expect(contents(await response.text(), 'QueueUrl')).toContain(setup.url + path)
  })

  it('can number entries in any order and with gaps, and can omit the number of a single entry', async () => {
    await post(path, {
      Action: 'SetQueueAttributes',
      'Attribute.7.Value': '5',
      'Attribute.7.Name': 'DelaySeconds',
      'Attribute.999999999.Name': 'VisibilityTimeout',
      'Attribute.999999999.Value': '6',
    })
    await post(path, {
      Action: 'SetQueueAttributes',
      'Attribute.Name': 'ReceiveMessageWaitTimeSeconds',
      'Attribute.Value': '7',
    })
    expect(await setup.store.attributes(queue)).toMatchObject({
      delay: 5000,
      visibilityTimeout: 6000,
      receiveWaitTime: 7000,
    })
    const single = await post(path, { Action: 'GetQueueAttributes', AttributeName: 'DelaySeconds' })
    expect(contents(single.text, 'Attribute')).toEqual(['<Name>DelaySeconds</Name><Value>5</Value>'])
    const both = await post(path, {
      Action: 'GetQueueAttributes',
      'AttributeName.2': 'DelaySeconds',
      'AttributeName.10': 'VisibilityTimeout',
    })
    expect(contents(both.text, 'Name').sort()).toEqual(['DelaySeconds', 'VisibilityTimeout'])
  })

  it('can be a batch in which some entries fail', async () => {
    const entry = 'SendMessageBatchRequestEntry'
    const { text } = await post(path, {
      Action: 'SendMessageBatch',
      [`${entry}.1.Id`]: 'good',
      [`${entry}.1.MessageBody`]: 'x',
      [`${entry}.1.MessageAttribute.1.Name`]: 'n',
      [`${entry}.1.MessageAttribute.1.Value.DataType`]: 'Number',
      [`${entry}.1.MessageAttribute.1.Value.StringValue`]: '7',
      [`${entry}.2.Id`]: 'bad',
      [`${entry}.2.MessageBody`]: 'y',
      [`${entry}.2.DelaySeconds`]: '901',
    })
    expect(contents(contents(text, 'SendMessageBatchResultEntry')[0]!, 'Id')).toEqual(['good'])
    const [failed] = contents(text, 'BatchResultErrorEntry')
    expect(contents(failed!, 'Id')).toEqual(['bad'])
    expect(contents(failed!, 'SenderFault')).toEqual(['true'])
    expect(contents(failed!, 'Code')).toEqual(['InvalidParameterValue'])
    const received = await post(path, { Action: 'ReceiveMessage', 'MessageAttributeName.1': 'All' })
    expect(contents(received.text, 'MessageAttribute')).toEqual([
      '<Name>n</Name><Value><DataType>Number</DataType><StringValue>7</StringValue></Value>',
    ])
  })

  it('gets no elements for absent attributes, because old clients would read them as empty strings', async () => {
    await post(path, { Action: 'SendMessage', MessageBody: 'x' })
    const { text } = await post(path, { Action: 'ReceiveMessage', 'AttributeName.1': 'All' })
    expect(contents(text, 'Name').sort()).toEqual([
      'ApproximateFirstReceiveTimestamp',
      'ApproximateReceiveCount',
      'SenderId',
      'SentTimestamp',
    ])
  })

  it('can have unknown parameters, such as versions and parameters of other operations', async () => {
    const { status } = await post(path, {
      Action: 'PurgeQueue',
      Signature: 'x',
      AWSAccessKeyId: 'y',
      'a.b.c.d.e.f.g.h.i.j': 'z',
      __proto__: 'a',
      'constructor.1.prototype': 'b',
    })
    expect(status).toBe(200)
  })
})

describe('an error in the query protocol', () => {
  it('is the XML that SQS would send, with the error code for older clients', async () => {
    const { status, type, text } = await post('/0/none', { Action: 'PurgeQueue' })
    expect({ status, type }).toEqual({ status: 400, type: 'text/xml' })
    expect(text.replace(/[0-9a-f-]{36}/, 'ID')).toBe(
      '<?xml version="1.0"?><ErrorResponse xmlns="http://queue.amazonaws.com/doc/2012-11-05/"><Error>' +
        '<Type>Sender</Type><Code>AWS.SimpleQueueService.NonExistentQueue</Code>' +
        '<Message>The specified queue does not exist for this wsdl version.</Message><Detail/></Error>' +
        '<RequestId>ID</RequestId></ErrorResponse>',
    )
  })

  it.each<[string, number, string, Parameters]>([
    ['a request without an action', 400, 'InvalidAction', {}],
    ['an unknown action', 400, 'InvalidAction', { Action: 'Nonsense' }],
    ['the action "constructor"', 400, 'InvalidAction', { Action: 'constructor' }],
    ['a request without required parameters', 400, 'MissingParameter', { Action: 'SendMessage' }],
    [
      'a word instead of a number',
      400,
      'MalformedInput',
      { Action: 'ReceiveMessage', MaxNumberOfMessages: 'x' },
    ],
    [
      'a map without values',
      400,
      'MalformedInput',
      { Action: 'SetQueueAttributes', 'Attribute.1.Name': 'a' },
    ],
    [
      'an unknown receipt handle',
      404,
      'ReceiptHandleIsInvalid',
      { Action: 'DeleteMessage', ReceiptHandle: 'x' },
    ],
    [
      'a batch without entries',
      400,
      'AWS.SimpleQueueService.EmptyBatchRequest',
      { Action: 'SendMessageBatch', Entries: '' },
    ],
  ])('is the response to %s', async (_, status, code, parameters) => {
    const answer = await post(path, parameters)
    expect({ status: answer.status, code: contents(answer.text, 'Code') }).toEqual({ status, code: [code] })
  })

  it.each([
    ['bytes that are not UTF-8', '%ff'],
    ['an incomplete escape sequence', '%4'],
    ['too many parameters', 'a&'.repeat(100_000)],
  ])('is the response to %s', async (_, body) => {
    const response = await fetch(setup.url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: `Action=SendMessage&MessageBody=${body}`,
    })
    expect(response.status).toBe(400)
    expect(contents(await response.text(), 'Code')).toEqual(['MalformedInput'])
  })

  it.each([
    ['the action', 'Action=SendMessage&MessageBody=x&Action=DeleteQueue', 'Action'],
    ['another parameter', 'Action=SendMessage&MessageBody=x&MessageBody=x', 'MessageBody'],
    ['a parameter of an entry', 'Action=TagQueue&Tag.1.Key=a&Tag.1.Key=b&Tag.1.Value=c', 'Tag.1.Key'],
  ])('is the response to a form that has %s twice, of which the last one counted', async (_, body, name) => {
    const response = await fetch(setup.url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body,
    })
    expect(response.status).toBe(400)
    const text = await response.text()
    expect(contents(text, 'Code')).toEqual(['MalformedInput'])
    expect(contents(text, 'Message')).toEqual([`The parameter ${name} occurs more than once.`])
    expect(await setup.store.queueNames()).toContain(queue)
  })

  it('is the response to a parameter that is both in the URL and in the form', async () => {
    const { status } = await post(`${path}?Action=SendMessage&MessageBody=x`, { Action: 'DeleteQueue' })
    expect(status).toBe(400)
    expect(await setup.store.queueNames()).toContain(queue)
  })

  it.each(['CreateQueue', 'ListQueues'])(
    'is the response to %s at the URL of a queue, because it is an operation of the service',
    async Action => {
      const { status, text } = await get(path, { Action, QueueName: 'made' })
      expect({ status, code: contents(text, 'Code') }).toEqual({ status: 400, code: ['InvalidAction'] })
      expect(contents(text, 'Message')).toEqual([`The action ${Action} is not valid for this endpoint.`])
      expect((await get('/', { Action, QueueName: `made-${queue}` })).status).toBe(200)
      expect((await get(path, { Action: 'GetQueueUrl', QueueName: queue })).status).toBe(200)
    },
  )

  it('is one element for a GET of a queue without an action', async () => {
    for (const accept of ['*/*', 'application/json']) {
      const response = await fetch(setup.url + path, { headers: { accept } })
      expect(response.status).toBe(404)
      expect(await response.text()).toBe('<UnknownOperationException/>')
    }
  })

  it('is the response to a form that a web page posts', async () => {
    const { status } = await post(path, { Action: 'PurgeQueue' }, { origin: 'null' })
    expect(status).toBe(403)
  })

  it.each(['Referer', 'Sec-Fetch-Site', 'Accept-Language'])(
    'is the response to a web page that loads the URL as an image and is recognized by the header %s',
    async name => {
      const { status, text } = await get(path, { Action: 'PurgeQueue' }, { [name]: 'cross-site' })
      expect({ status, code: contents(text, 'Code') }).toEqual({ status: 403, code: ['AccessDenied'] })
    },
  )
})

describe('a string in XML', () => {
  const text = fc
    .array(
      fc.oneof(
        fc.constantFrom('<', '>', '&', '"', "'", '\r', '\n', '\t', ']]>', '<!--', '&#xD;', '&amp;', ' '),
        fc.string({ unit: 'grapheme-composite' }),
      ),
      { minLength: 1 },
    )
    .map(parts => parts.join(''))
    // A message cannot contain the excluded characters, and this client does not read strings of only white space.
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is left out
    .filter(each => each.trim() !== '' && !/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/.test(each))

  it('reaches an old SQS client unchanged', async () => {
    const client = queryClient(setup.url)
    const QueueUrl = setup.url + path
    await fc.assert(
      fc.asyncProperty(text, async MessageBody => {
        await client.sendMessage({ QueueUrl, MessageBody })
        const { Messages } = await client.receiveMessage({ QueueUrl })
        const { Body, ReceiptHandle } = Messages![0]!
        await client.deleteMessage({ QueueUrl, ReceiptHandle })
        expect(Body).toBe(MessageBody)
      }),
    )
    client.destroy()
  })

  it('has its carriage returns escaped, because parsers turn them into line feeds', async () => {
    await post(path, { Action: 'SendMessage', MessageBody: 'a\r\nb' })
    const { text } = await post(path, { Action: 'ReceiveMessage' })
    expect(contents(text, 'Body')).toEqual(['a&#xD;\nb'])
  })

  it('has U+FFFD in place of characters that XML does not allow', async () => {
    const name = 'a\u0000b\u001fc\ufffed'
    const { text } = await post(path, { Action: 'GetQueueAttributes', 'AttributeName.1': name })
    expect(contents(text, 'Message')).toEqual(['Unknown Attribute a\ufffdb\ufffdc\ufffdd.'])
  })
})

describe('the header X-Amzn-Trace-Id of a SendMessage request', () => {
  const root = 'Root=1-5759e988-bd862e3fe1be46a994272793;Sampled=1'
  const traced = async () =>
    (await setup.store.receive(queue, { max: 10, wait: 0 })).map(({ traceHeader }) => traceHeader)

  it('becomes the AWSTraceHeader of a message that has none', async () => {
    await post(path, { Action: 'SendMessage', MessageBody: 'x' }, { 'x-amzn-trace-id': root })
    await post(
      path,
      {
        Action: 'SendMessage',
        MessageBody: 'x',
        'MessageSystemAttribute.1.Name': 'AWSTraceHeader',
        'MessageSystemAttribute.1.Value.DataType': 'String',
        'MessageSystemAttribute.1.Value.StringValue': 'Root=own',
      },
      { 'x-amzn-trace-id': root },
    )
    expect(await traced()).toEqual([root, 'Root=own'])
  })

  it('also becomes the AWSTraceHeader in the JSON protocol and in batches', async () => {
    const response = await fetch(setup.url, {
      method: 'POST',
      headers: {
        'content-type': 'application/x-amz-json-1.0',
        'x-amz-target': 'AmazonSQS.SendMessageBatch',
        'x-amzn-trace-id': root,
      },
      body: JSON.stringify({ QueueUrl: path, Entries: [{ Id: 'a', MessageBody: 'x' }] }),
    })
    expect(response.status).toBe(200)
    expect(await traced()).toEqual([root])
  })

  it('is ignored when it is too long for a trace header', async () => {
    await post(path, { Action: 'SendMessage', MessageBody: 'x' }, { 'x-amzn-trace-id': 'x'.repeat(2000) })
    expect(await traced()).toEqual([undefined])
  })
})

it('ListDeadLetterSourceQueues returns its queues as QueueUrl', async () => {
  const dead = `${queue}-dead`
  await setup.store.createQueue(dead)
  await setup.store.setAttributes(queue, { deadLetter: { queue: dead, maxReceiveCount: 1 } })
  const { text } = await post(`/000000000000/${dead}`, { Action: 'ListDeadLetterSourceQueues' })
  expect(contents(text, 'ListDeadLetterSourceQueuesResult')).toEqual([
    `<QueueUrl>${setup.url}${path}</QueueUrl>`,
  ])
})
