import classes from './Footer.module.css';

/** Where the data stays, under every page. */
export function Footer() {
  return (
    <footer className={classes.footer}>
      <p>Your company’s data never leaves the UK and is never used to train third-party AI models.</p>
    </footer>
  );
}
