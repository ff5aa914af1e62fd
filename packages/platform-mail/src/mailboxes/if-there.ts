/**
 * Returns the result of reading a file or folder, or `otherwise` when it does not exist. Rejects when it exists
 * and cannot be read.
 */
export async function ifThere<T, U>(look: Promise<T>, otherwise: U): Promise<T | U> {
  try {
    return await look
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return otherwise
    throw error
  }
}
