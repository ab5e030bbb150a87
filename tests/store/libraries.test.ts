import { MongoBackend } from '@agendajs/mongo-backend';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Agenda } from 'agenda';
import MongoStore from 'connect-mongo';
import { GridFSBucket, MongoClient } from 'mongodb';
import mongoose from 'mongoose';
import { uri } from './harness.ts';

const DATABASE = 'store_libraries';
let client: MongoClient;

beforeAll(async () => {
  client = await new MongoClient(uri()).connect();
  await client.db(DATABASE).dropDatabase();
});
afterAll(async () => {
  await client.db(DATABASE).dropDatabase();
  await client.close();
});

describe('mongoose', () => {
  const connection = mongoose.createConnection(uri(), { dbName: DATABASE, autoIndex: false });
  const Person = connection.model(
    'Person',
    new mongoose.Schema(
      {
        name: { type: String, unique: true },
        tags: [String],
        pets: [{ kind: String, age: Number }],
        scores: { type: Map, of: Number },
        friend: { type: mongoose.Schema.Types.ObjectId, ref: 'Person' },
        big: mongoose.Schema.Types.Decimal128,
        at: { type: Date, expires: 3600 },
      },
      { timestamps: true, optimisticConcurrency: true },
    ),
  );
  afterAll(() => connection.close());

  test('indexes are created once and then recognised', async () => {
    await Person.createIndexes();
    await Person.createIndexes();
    expect(await Person.diffIndexes()).toEqual({ toDrop: [], toCreate: [] });
  });

  test('documents, arrays, maps and versions', async () => {
    const ada = await Person.create({
      name: 'Ada',
      tags: ['x'],
      pets: [{ kind: 'cat', age: 1 }],
      scores: { a: 1 },
      big: '1.25',
    });
    ada.tags.push('y');
    ada.pets[0]!.age = 2;
    ada.scores!.set('b', 2);
    await ada.save();
    const stale = await Person.findById(ada._id);
    ada.name = 'Ada L';
    await ada.save();
    stale!.name = 'Other';
    await expect(stale!.save()).rejects.toThrow(/version|No matching document/i);
    const found = await Person.findOne({ 'pets.age': 2 }).lean();
    expect([found!.name, found!.tags, found!.pets[0]!.kind, String(found!.big)]).toEqual([
      'Ada L',
      ['x', 'y'],
      'cat',
      '1.25',
    ]);
    await expect(Person.create({ name: 'Ada L' })).rejects.toMatchObject({ code: 11000 });
  });

  test('populate, updates with timestamps, and removal', async () => {
    const ada = await Person.findOne({ name: 'Ada L' });
    const bob = await Person.create({
      name: 'Bob',
      friend: ada!._id,
      pets: [
        { kind: 'dog', age: 5 },
        { kind: 'cat', age: 6 },
      ],
    });
    const found = await Person.findById(bob._id).populate<{ friend: { name: string } }>('friend');
    expect(found!.friend.name).toBe('Ada L');
    await Person.updateOne({ _id: bob._id, 'pets.kind': 'cat' }, { $set: { 'pets.1.age': 7 } });
    await Person.updateOne({ _id: bob._id }, { $push: { pets: { kind: 'fish', age: 1 } }, $inc: { __v: 1 } });
    expect((await Person.findById(bob._id))!.pets.map((pet) => pet.age)).toEqual([5, 7, 1]);
    expect(
      (await Person.findOneAndUpdate(
        { name: 'New' },
        { $setOnInsert: { tags: ['n'] } },
        { upsert: true, returnDocument: 'after' },
      ))!.tags,
    ).toEqual(['n']);
    expect((await Person.deleteMany({})).deletedCount).toBe(3);
  });

  test('a cursor over many documents', async () => {
    await Person.insertMany(Array.from({ length: 500 }, (_, i) => ({ name: `p${i}` })));
    let n = 0;
    for await (const _person of Person.find().sort({ name: 1 }).cursor({ batchSize: 50 })) n++;
    expect(n).toBe(500);
    expect(await Person.aggregate([{ $group: { _id: null, n: { $sum: 1 } } }])).toEqual([{ _id: null, n: 500 }]);
  });
});

describe('agenda', () => {
  test('jobs run, once each, from two workers', async () => {
    const make = () =>
      new Agenda({ backend: new MongoBackend({ mongo: client.db(DATABASE) as never }), processEvery: 50 });
    const [one, two] = [make(), make()];
    const ran: number[] = [];
    let all: () => void = () => undefined;
    const done = new Promise<void>((resolve) => {
      all = resolve;
    });
    for (const agenda of [one, two]) {
      agenda.define('task', async (job: { attrs: { data: unknown } }) => {
        ran.push((job.attrs.data as { i: number }).i);
        if (ran.length === 20) all();
      });
      await agenda.start();
    }
    for (let i = 0; i < 20; i++) await one.now('task', { i });
    await done;
    await one.stop();
    await two.stop();
    expect([...ran].sort((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, i) => i));
  }, 120_000);
});

describe('connect-mongo', () => {
  test('sessions are saved, touched, counted and destroyed', async () => {
    const store = MongoStore.create({ client: client as never, dbName: DATABASE, collectionName: 'sessions' });
    const call = <T>(run: (done: (error: unknown, value?: T) => void) => void) =>
      new Promise<T | undefined>((resolve, reject) => run((error, value) => (error ? reject(error) : resolve(value))));
    const session = { cookie: { originalMaxAge: 60_000, expires: new Date(Date.now() + 60_000) }, user: 'u1' } as never;
    await call((done) => store.set('s1', session, done));
    expect(await call((done) => store.get('s1', done as never))).toMatchObject({ user: 'u1' });
    await call((done) => store.touch('s1', session, done));
    expect(await call((done) => store.length(done as never))).toBe(1);
    await call((done) => store.destroy('s1', done));
    expect(await call((done) => store.get('s1', done as never))).toBeFalsy();
    const indexes = await client.db(DATABASE).collection('sessions').indexes();
    expect(indexes.find((index) => index.expireAfterSeconds === 0)?.key).toEqual({ expires: 1 });
  });
});

describe('GridFS', () => {
  test('a file is written and read, as a whole and in parts', async () => {
    const bucket = new GridFSBucket(client.db(DATABASE));
    const data = Buffer.from(Array.from({ length: 900_000 }, (_, i) => (i * 31) % 256));
    const upload = bucket.openUploadStream('file.bin', { metadata: { owner: 1 } });
    await new Promise<void>((resolve, reject) => upload.on('finish', resolve).on('error', reject).end(data));
    const read = async (options?: { start: number; end: number }) => {
      const parts: Buffer[] = [];
      for await (const part of bucket.openDownloadStream(upload.id, options)) parts.push(part as Buffer);
      return Buffer.concat(parts);
    };
    expect((await read()).equals(data)).toBe(true);
    expect((await read({ start: 300_000, end: 600_000 })).equals(data.subarray(300_000, 600_000))).toBe(true);
    expect((await bucket.find({ 'metadata.owner': 1 }).toArray()).length).toBe(1);
    await bucket.delete(upload.id);
    expect(await client.db(DATABASE).collection('fs.chunks').countDocuments({})).toBe(0);
  });
});
