/**
 * The lists and maps whose name in the query protocol is not the singular of the JSON name. `*` stands for the name of
 * the operation.
 */
const irregular: { readonly [field: string]: string } = {
  Entries: '*RequestEntry',
  Successful: '*ResultEntry',
  Failed: 'BatchResultErrorEntry',
  Results: '*ResultEntry',
  Actions: 'ActionName',
  queueUrls: 'QueueUrl',
  tags: 'Tag',
}

/**
 * Returns the name that the query protocol repeats for each member of a list or map. For `Attributes` of the
 * JSON protocol, it is `Attribute.1.Name` in a request and `<Attribute>` in a response.
 */
export function memberName(operation: string, field: string): string {
  return Object.hasOwn(irregular, field) ? irregular[field]!.replace('*', operation) : field.replace(/s$/, '')
}

/** Returns the name of the key in each member of a map. The name of the value is always `Value`. */
export function keyName(field: string): string {
  return field.toLowerCase() === 'tags' ? 'Key' : 'Name'
}
