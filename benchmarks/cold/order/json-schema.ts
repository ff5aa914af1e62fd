/** The fields of an order that handlers read. */
export interface Order {
  readonly id: string
  readonly items: readonly { readonly sku: string; readonly quantity: number }[]
}

export const jsonSchemaOfOrder = {
  type: 'object',
  required: ['id', 'items'],
  properties: {
    id: { type: 'string' },
    items: {
      type: 'array',
      items: {
        type: 'object',
        required: ['sku', 'quantity'],
        properties: { sku: { type: 'string' }, quantity: { type: 'number' } },
      },
    },
  },
}
