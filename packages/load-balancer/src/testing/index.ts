export { type Exchange, exchange } from './exchange.ts'
export { type HttpEventOptions, httpEvent } from './http-event.ts'
export { httpEventMutators, type Mutator } from './mutators.ts'
