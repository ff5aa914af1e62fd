import { stack } from '../../contenders/stack.ts'
import { ZodClaimsAnswer } from '../../contenders/token-claims/zod.ts'
import { ZodTokenGeneration } from '../../contenders/token-generation/zod.ts'
import { route } from './route.ts'

export const handler = stack()
  .before((request: { event: unknown }) => {
    request.event = ZodTokenGeneration.parse(request.event)
  })
  .after(({ response }: { response: unknown }) => {
    ZodClaimsAnswer.parse((response as { readonly response: unknown }).response)
  })
  .handler(route)
