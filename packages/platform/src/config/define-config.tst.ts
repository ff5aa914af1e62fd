import { expect, test } from 'tstyche'
import { defineConfig } from './define-config.ts'

test('a load balancer can name only a function of the same configuration', () => {
  expect(defineConfig).type.toBeCallableWith({
    functions: { shop: { module: './shop.ts' } },
    loadBalancers: { web: { port: 3000, function: 'shop' as const } },
  })
  defineConfig({
    functions: { shop: { module: './shop.ts' } },
    // @ts-expect-error Type '"shoop"' is not assignable to type '"shop"'
    loadBalancers: { web: { port: 3000, function: 'shoop' } },
  })
})

test('an unknown setting name does not compile', () => {
  defineConfig({
    // @ts-expect-error 'modul' does not exist in type 'FunctionConfig<"aws">'
    functions: { shop: { modul: './shop.ts' } },
  })
})

test('a mail rule can name only a function of the same configuration', () => {
  const functions = { mailroom: { module: './mailroom.ts' } }
  defineConfig({
    functions,
    mail: {
      domains: { 'office.example': { to: 'mailboxes' } },
      rules: [{ direction: 'INBOUND', function: 'mailroom', timeout: 5, fallback: 'BOUNCE' }],
    },
  })
  defineConfig({
    functions,
    // @ts-expect-error Type '"mailrom"' is not assignable to type '"mailroom"'
    mail: { rules: [{ direction: 'INBOUND', function: 'mailrom' }] },
  })
  defineConfig({
    functions,
    // @ts-expect-error Type '"SIDEWAYS"' is not assignable to type '"INBOUND" | "OUTBOUND"'
    mail: { rules: [{ direction: 'SIDEWAYS', function: 'mailroom' }] },
  })
})

test('a configuration with only queues needs no functions', () => {
  expect(defineConfig).type.toBeCallableWith({ queues: { orders: {} } })
})

test('a queue with several functions can name only functions of the same configuration', () => {
  const functions = { ship: { module: './ship.ts' }, bill: { module: './bill.ts' } }
  defineConfig({
    functions,
    queues: {
      orders: {
        functions: [
          { function: 'ship', filter: { body: { status: ['paid', { prefix: 'sent' }] } } },
          {
            function: 'bill',
            filter: [{ $or: [{ messageId: ['a'] }, { body: { total: [{ numeric: ['>', 0] }] } }] }],
          },
        ],
      },
    },
  })
  defineConfig({
    functions,
    // @ts-expect-error Type '"shipp"' is not assignable to type '"ship" | "bill"'
    queues: { orders: { functions: [{ function: 'shipp' }] } },
  })
})
