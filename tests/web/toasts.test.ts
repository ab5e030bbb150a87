import { beforeEach, expect, test } from '@jest/globals';
import { closeToast, showFailure, showToast, toastStore, withdrawToast } from '../../web/data/toasts.ts';

const shown = () => toastStore.current()?.title ?? null;
const announce = (title: string, interruptId: number) => showToast({ title, tone: 'waiting', interruptId });

beforeEach(() => {
  closeToast();
  closeToast();
});

test('the answer to what a person did replaces whatever is shown', () => {
  announce('A question', 1);
  showToast({ title: 'Saved', tone: 'done' });
  expect(shown()).toBe('Saved');
  showFailure('Not saved', 'Please try again.');
  expect(shown()).toBe('Not saved');
});

test('an announcement waits until the answer to what a person did is closed', () => {
  showFailure('Not saved', 'Please try again.');
  announce('A question', 1);
  expect(shown()).toBe('Not saved');
  closeToast();
  expect(shown()).toBe('A question');
  closeToast();
  expect(shown()).toBeNull();
});

test('of several announcements that wait the newest is shown, and one replaces another', () => {
  showToast({ title: 'Saved', tone: 'done' });
  announce('First', 1);
  announce('Second', 2);
  closeToast();
  expect(shown()).toBe('Second');
  announce('Third', 3);
  expect(shown()).toBe('Third');
  closeToast();
  expect(shown()).toBeNull();
});

test('a question that is answered is no longer announced, shown or waiting; another one stays', () => {
  announce('A question', 1);
  withdrawToast(2);
  expect(shown()).toBe('A question');
  withdrawToast(1);
  expect(shown()).toBeNull();

  showToast({ title: 'Saved', tone: 'done' });
  announce('A question', 1);
  withdrawToast(2);
  closeToast();
  expect(shown()).toBe('A question');
  showToast({ title: 'Saved', tone: 'done' });
  announce('A question', 1);
  withdrawToast(1);
  expect(shown()).toBe('Saved');
  closeToast();
  expect(shown()).toBeNull();
});
