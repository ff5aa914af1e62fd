export { type Answered, type AnswerOf, type Client, type ClientOptions, client } from './client.ts'
