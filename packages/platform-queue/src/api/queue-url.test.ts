import { expect, it } from '@jest/globals'
import { queueAt } from './queue-url.ts'

it.each([
  ['http://127.0.0.1:4566/000000000000/orders', 'orders'],
  ['https://queues.example/1/orders.fifo', 'orders.fifo'],
  ['http://[::1]:4566/000000000000/orders', 'orders'],
  ['HTTP://Queues.Example/1/orders', 'orders'],
  ['http://queues.example/1/../1/orders', 'orders'],
  ['http://queues.example/1/orders?Action=SendMessage', 'orders'],
  ['http://queues.example/orders', 'orders'],
  ['1/orders', 'orders'],
  ['orders', 'orders'],
])('queueAt() finds the queue name in the address "%s"', (url, queue) => {
  expect(queueAt(url)).toBe(queue)
})

it.each(['http://queues.example/', 'http://queues.example/1/', 'http://queues.example/1/2/orders', '', '/'])(
  'queueAt() throws an error for the address %j, which names no queue',
  url => {
    expect(() => queueAt(url)).toThrow('The specified queue does not exist.')
  },
)
