import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { type Parameters, queryRequests } from '../../testing/query-requests.ts'
import type { listeningQueues } from '../../testing/queue-engines.ts'

let setup: Awaited<ReturnType<typeof listeningQueues>>
let queue: string
let path: string
const requests = queryRequests()
const { post } = requests
beforeAll(requests.start)
afterAll(requests.end)
beforeEach(async () => {
  ;({ setup, queue, path } = await requests.next())
})

describe('a client of the query protocol that accepts JSON', () => {
  const json = async (where: string, parameters: Parameters) => {
    const response = await post(where, parameters, { accept: 'application/json' })
    return { ...response, body: JSON.parse(response.text) as Record<string, never> }
  }
  const RequestId = expect.stringMatching(/^[0-9a-f-]{36}$/)

  it('gets results in JSON for a GET, too', async () => {
    const address = `${setup.url}/?Action=ListQueues&QueueNamePrefix=${queue}`
    const response = await fetch(address, { headers: { accept: 'application/json' } })
    expect(response.headers.get('content-type')).toBe('application/json')
    expect(await response.json()).toHaveProperty('ListQueuesResponse')
  })

  it('gets results in JSON, where maps are lists of names and values', async () => {
    expect(await json('/', { Action: 'ListQueues', QueueNamePrefix: queue })).toMatchObject({
      status: 200,
      type: 'application/json',
      body: {
        ListQueuesResponse: {
          ListQueuesResult: { queueUrls: [setup.url + path] },
          ResponseMetadata: { RequestId },
        },
      },
    })
    const sent = await json(path, {
      Action: 'SendMessage',
      MessageBody: 'x',
      'MessageAttribute.1.Name': 'n',
      'MessageAttribute.1.Value.DataType': 'Number',
      'MessageAttribute.1.Value.StringValue': '7',
    })
    expect(sent.body).toMatchObject({
      SendMessageResponse: { SendMessageResult: { MessageId: expect.any(String), SequenceNumber: null } },
    })
    const attributes = { Action: 'GetQueueAttributes', AttributeName: 'DelaySeconds' }
    expect((await json(path, attributes)).body).toMatchObject({
      GetQueueAttributesResponse: {
        GetQueueAttributesResult: { Attributes: [{ Name: 'DelaySeconds', Value: '0' }] },
      },
    })
    const received = await json(path, { Action: 'ReceiveMessage', MessageAttributeName: 'All' })
    expect(received.body).toMatchObject({
      ReceiveMessageResponse: {
        ReceiveMessageResult: {
          messages: [{ Body: 'x', MessageAttributes: [{ Name: 'n', Value: { StringValue: '7' } }] }],
        },
      },
    })
    expect((await json(path, { Action: 'PurgeQueue' })).body).toEqual({
      PurgeQueueResponse: { ResponseMetadata: { RequestId } },
    })
  })

  it('gets errors in JSON', async () => {
    expect(await json('/0/none', { Action: 'PurgeQueue' })).toMatchObject({
      status: 400,
      body: {
        Error: {
          Code: 'AWS.SimpleQueueService.NonExistentQueue',
          Message: 'The specified queue does not exist for this wsdl version.',
          Type: 'Sender',
        },
        RequestId,
      },
    })
  })
})
