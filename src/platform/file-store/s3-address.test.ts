import { expect, test } from 'vitest'
import { readS3Address } from './s3-address.ts'

test('an address names the bucket, the prefix, the endpoint and the region', () => {
  expect(readS3Address('s3://shop/media/files/?endpoint=http://127.0.0.1:9000&region=eu-1')).toEqual({
    bucket: 'shop',
    region: 'eu-1',
    bucketUrl: 'http://127.0.0.1:9000/shop',
    prefix: 'media/files/',
  })
  expect(readS3Address('s3://shop')).toMatchObject({
    bucketUrl: 'https://shop.s3.us-east-1.amazonaws.com',
    prefix: '',
  })
})

test.each([
  ['s3://user:secret@shop', 'must not contain keys'],
  ['s3://shop?endpoint=https://user:secret@s3.example', 'must not contain keys'],
  ['s3://shop?key=secret', 'the unknown parameter "key"'],
  ['s3://shop?endpoint=minio', 'must be a URL'],
  ['s3://shop/a%20b', 'the prefix'],
  ['s3:', 'must be an address such as'],
])('%s is rejected, and the error does not show a secret', (address, message) => {
  expect(() => readS3Address(address)).toThrow(message)
  expect(() => readS3Address(address)).not.toThrow('secret')
})
