// The one script that is ours. The editor of NiceGUI cannot be told what fits at the caret, nor what it is called: here
// it asks the studio for the first whenever CodeMirror wants to complete, and says the second to a screen reader.
import codemirror from "codemirror"; // NiceGUI's
import { EditorState, EditorView } from "nicegui-codemirror";

export default {
  ...codemirror,
  props: { ...codemirror.props, label: String },
  methods: {
    ...codemirror.methods,
    setupExtensions() {
      let number = 0;
      const fits = ({ pos, explicit }) =>
        new Promise((answer) => {
          this.waiting?.answer(null); // for an older question
          this.waiting = { number: ++number, answer };
          this.$emit("fits", { number, at: pos, explicit });
        });
      return [
        ...codemirror.methods.setupExtensions.call(this),
        EditorState.languageData.of(() => [{ autocomplete: fits }]),
        EditorView.contentAttributes.of({ "aria-label": this.label }),
      ];
    },
    offer(number, found) {
      if (this.waiting?.number === number) this.waiting.answer(found);
    },
  },
};
