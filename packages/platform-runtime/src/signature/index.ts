export type { SignableRequest } from './canonical-request.ts'
export {
  type AccessKey,
  type SignatureCheck,
  type SignatureProblem,
  type Signer,
  signatureHeaders,
  verifySignature,
} from './signature-v4.ts'
