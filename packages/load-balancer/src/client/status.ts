/** The statuses that an answer can have. Statuses below 200 are omitted, because `fetch` never returns them. */
export type Status = Success | Redirect | ClientError | ServerError

type Success = 200 | 201 | 202 | 203 | 204 | 205 | 206 | 207 | 208 | 226
type Redirect = 300 | 301 | 302 | 303 | 304 | 307 | 308
type ClientError =
  | (400 | 401 | 402 | 403 | 404 | 405 | 406 | 407 | 408 | 409 | 410 | 411 | 412 | 413 | 414 | 415)
  | (416 | 417 | 418 | 421 | 422 | 423 | 424 | 425 | 426 | 428 | 429 | 431 | 451)
type ServerError = 500 | 501 | 502 | 503 | 504 | 505 | 506 | 507 | 508 | 510 | 511
