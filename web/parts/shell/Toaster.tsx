import { IconAlertTriangle, IconBell, IconCheck, IconX } from '@tabler/icons-react';
import { type PointerEvent, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { closeToast, type Toast, toastStore } from '../../data/toasts.ts';
import classes from './Toaster.module.css';

const SWIPE_THRESHOLD_PX = 50;

/** The current toast. F8 focuses it, Escape or a swipe to the right closes it; pointer or focus on it keeps it open. */
export function Toaster() {
  const toast = useSyncExternalStore(toastStore.subscribe, toastStore.current);
  const region = useRef<HTMLElement>(null);

  useEffect(() => {
    const reach = (event: KeyboardEvent) => {
      if (event.key !== 'F8') return;
      event.preventDefault();
      const card = region.current?.querySelector<HTMLElement>('[data-toast]');
      (card ?? region.current)?.focus();
    };
    window.addEventListener('keydown', reach);
    return () => window.removeEventListener('keydown', reach);
  }, []);

  return (
    <section ref={region} className={classes.region} aria-label="Notifications (F8)" tabIndex={-1}>
      <div aria-live="polite">{toast ? <ToastCard key={toast.id} toast={toast} /> : null}</div>
    </section>
  );
}

function ToastCard({ toast }: { toast: Toast }) {
  const [held, setHeld] = useState(false);
  const [shift, setShift] = useState(0);
  const start = useRef<number | null>(null);

  useEffect(() => {
    if (held) return;
    const timer = setTimeout(closeToast, toast.milliseconds);
    return () => clearTimeout(timer);
  }, [held, toast.milliseconds]);

  const move = (event: PointerEvent) => {
    if (start.current !== null) setShift(Math.max(0, event.clientX - start.current));
  };
  const release = () => {
    if (shift >= SWIPE_THRESHOLD_PX) closeToast();
    start.current = null;
    setShift(0);
  };
  const Icon = { plain: IconBell, done: IconCheck, error: IconAlertTriangle, waiting: IconBell }[toast.tone];
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the swipe is an extra; the button closes it too
    <div
      className={classes.toast}
      data-toast
      data-tone={toast.tone}
      tabIndex={0}
      role={toast.tone === 'error' ? 'alert' : 'status'}
      style={shift ? { transform: `translateX(${shift}px)`, opacity: 1 - shift / 300 } : undefined}
      onPointerDown={(event) => {
        start.current = event.clientX;
      }}
      onPointerMove={move}
      onPointerUp={release}
      onPointerCancel={release}
      onPointerLeave={() => {
        setHeld(false);
        release();
      }}
      onPointerEnter={() => setHeld(true)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
      onKeyDown={(event) => {
        if (event.key === 'Escape') closeToast();
      }}
    >
      <span className={classes.icon} aria-hidden>
        <Icon size={16} stroke={2} />
      </span>
      <div className={classes.text}>
        <strong>{toast.title}</strong>
        {toast.message ? <p>{toast.message}</p> : null}
        {toast.action ? (
          <button
            type="button"
            className={classes.action}
            onClick={() => {
              toast.action?.run();
              closeToast();
            }}
          >
            {toast.action.label}
          </button>
        ) : null}
      </div>
      <button type="button" className={classes.close} aria-label="Dismiss" onClick={closeToast}>
        <IconX size={16} aria-hidden />
      </button>
    </div>
  );
}
