import { expect, test } from 'tstyche'
import { defineConfig } from './define-config.ts'

test('a source names a function of the same configuration', () => {
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

test('an unknown name does not compile', () => {
  defineConfig({
    // @ts-expect-error 'modul' does not exist in type 'FunctionConfig<"aws">'
    functions: { shop: { modul: './shop.ts' } },
  })
})

test('a rule for mail names a function of the same configuration', () => {
  const functions = { mailroom: { module: './mailroom.ts' } }
  defineConfig({
    functions,
    mail: {
      mailboxes: { 'office.example': '*' },
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

test('queues alone need no functions', () => {
  expect(defineConfig).type.toBeCallableWith({ queues: { orders: {} } })
})

test('each of several functions of a queue is one of the same configuration', () => {
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
