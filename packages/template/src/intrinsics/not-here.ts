/** A value that only the cloud knows, such as the name of a table. It does no harm where nothing needs it. */
export class NotHere extends Error {
  override readonly name = 'NotHere'
}
