export { arbitraryHttpEvent, arbitraryPath, arbitraryQuery, arbitraryRequest } from './arbitraries.ts'
export { type Exchange, exchange } from './exchange.ts'
export { type HttpEventOptions, httpEvent } from './http-event.ts'
export { httpEventMutators, type Mutator } from './mutators.ts'
