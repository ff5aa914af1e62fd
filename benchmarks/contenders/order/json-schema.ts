export const jsonSchemaOfOrder = {
  type: 'object',
  required: ['id', 'customer', 'items'],
  properties: {
    id: { type: 'string' },
    customer: { type: 'string' },
    items: {
      type: 'array',
      items: {
        type: 'object',
        required: ['sku', 'quantity'],
        properties: { sku: { type: 'string' }, quantity: { type: 'number' } },
      },
    },
    express: { type: 'boolean', nullable: true },
  },
}
